/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

/**
 * Space of a DataNode's data directory. Immutable.
 *
 * @param capacityBytes of its file system; 0: not known
 * @param freeBytes that the DataNode's user can use
 */
public record DirectorySpace(String path, long capacityBytes, long freeBytes) {}
