/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Traces of requests, made again on a file that is updated in place, and measured. */
@NullMarked
package io.hdfsparity.ecupdate.replay;

import org.jspecify.annotations.NullMarked;
