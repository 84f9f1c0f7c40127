/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * How a file gets another form by a verified copy: identity of files, steps of a move, and what the
 * NameNode checks before the copy takes the file's place. Pure.
 */
@NullMarked
package io.hdfsparity.izs.apply;

import org.jspecify.annotations.NullMarked;
