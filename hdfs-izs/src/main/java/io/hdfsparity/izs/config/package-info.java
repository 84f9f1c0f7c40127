/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Configuration keys of IZS and the immutable options made from them. */
@NullMarked
package io.hdfsparity.izs.config;

import org.jspecify.annotations.NullMarked;
