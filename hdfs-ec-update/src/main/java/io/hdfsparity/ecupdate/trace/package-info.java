/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Traces of the requests that updaters make, and their replay on a file, with measurements. Needs
 * neither Hadoop nor a cluster.
 */
@NullMarked
package io.hdfsparity.ecupdate.trace;

import org.jspecify.annotations.NullMarked;
