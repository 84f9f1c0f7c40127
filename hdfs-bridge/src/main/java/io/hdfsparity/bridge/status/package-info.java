/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * What a daemon says of the suite in it: records that its server answers, that commands read, and
 * that are judged without Hadoop.
 */
@NullMarked
package io.hdfsparity.bridge.status;

import org.jspecify.annotations.NullMarked;
