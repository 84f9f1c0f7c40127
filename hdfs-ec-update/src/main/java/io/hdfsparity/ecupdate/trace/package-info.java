/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** What updaters have read and written, noted for analysis. Needs neither Hadoop nor a cluster. */
@NullMarked
package io.hdfsparity.ecupdate.trace;

import org.jspecify.annotations.NullMarked;
