/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Checks of codec izs, levels and verified parity, for {@code hdfs parity doctor}. */
@NullMarked
package io.hdfsparity.izs.doctor;

import org.jspecify.annotations.NullMarked;
