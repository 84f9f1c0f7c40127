/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The command {@code hdfs ecupdate}: parse, call, print. What a program could want too is in {@code
 * client}.
 */
@NullMarked
package io.hdfsparity.ecupdate.admin;

import org.jspecify.annotations.NullMarked;
