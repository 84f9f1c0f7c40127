/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** What the commands of the features share: arguments, dispatch, exit codes, quantities as text. */
@NullMarked
package io.hdfsparity.core.cli;

import org.jspecify.annotations.NullMarked;
