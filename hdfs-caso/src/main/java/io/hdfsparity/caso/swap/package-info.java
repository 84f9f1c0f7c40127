/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** What CASO asks of a copy that takes a file's place. Needs records only. */
@NullMarked
package io.hdfsparity.caso.swap;

import org.jspecify.annotations.NullMarked;
