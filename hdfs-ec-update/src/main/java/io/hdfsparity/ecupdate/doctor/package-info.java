/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Checks of in-place updates for {@code hdfs parity doctor}, and their findings. They look at
 * configurations and answers that they are given, and call no daemon.
 */
@NullMarked
package io.hdfsparity.ecupdate.doctor;

import org.jspecify.annotations.NullMarked;
