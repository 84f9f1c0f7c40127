/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * What programs use: from a path of HDFS to a session at the NameNode and to an updater, and the
 * renewal of block groups that have lost units. What needs no Hadoop is in {@code updater}.
 */
@NullMarked
package io.hdfsparity.ecupdate.client;

import org.jspecify.annotations.NullMarked;
