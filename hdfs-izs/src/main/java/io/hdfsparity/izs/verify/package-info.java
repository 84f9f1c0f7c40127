/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Verification of parity after a file is closed: what is compared, what a comparison says, and
 * which groups are still to be verified. Does no I/O.
 */
@NullMarked
package io.hdfsparity.izs.verify;

import org.jspecify.annotations.NullMarked;
