/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** What callers of a NameNode say of themselves, and the rules by which it refuses others. */
@NullMarked
package io.hdfsparity.bridge.guard;

import org.jspecify.annotations.NullMarked;
