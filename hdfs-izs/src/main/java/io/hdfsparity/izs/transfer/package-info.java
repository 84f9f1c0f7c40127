/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Moves of files to another form, on HDFS: the work folder, the steps of a copy, a pool of them.
 */
@NullMarked
package io.hdfsparity.izs.transfer;

import org.jspecify.annotations.NullMarked;
