/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** What an administrator asks of the DataNodes that serve updates in place. Records only. */
@NullMarked
package io.hdfsparity.ecupdate.control;

import org.jspecify.annotations.NullMarked;
