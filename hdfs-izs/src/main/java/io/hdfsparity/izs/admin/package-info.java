/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** The command line {@code hdfs izs}: parse, call, print. One class a command. */
@NullMarked
package io.hdfsparity.izs.admin;

import org.jspecify.annotations.NullMarked;
