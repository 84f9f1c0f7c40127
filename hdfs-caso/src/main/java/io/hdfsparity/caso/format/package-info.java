/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Files of one header and many checked records, as streams. Pure. */
@NullMarked
package io.hdfsparity.caso.format;

import org.jspecify.annotations.NullMarked;
