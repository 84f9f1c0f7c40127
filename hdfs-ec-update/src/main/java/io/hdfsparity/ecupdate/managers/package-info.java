/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** How clients and DataNodes find the session managers of a file system's NameNodes. */
@NullMarked
package io.hdfsparity.ecupdate.managers;

import org.jspecify.annotations.NullMarked;
