/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

/**
 * The update log of a storage. Immutable.
 *
 * @param bytes size of the log
 * @param usedBytes of those, what has not been released yet
 */
public record LogSpace(long bytes, long usedBytes) {}
