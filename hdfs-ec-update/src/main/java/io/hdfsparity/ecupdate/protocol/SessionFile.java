/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

/**
 * The file of a session. Immutable.
 *
 * @param path resolved
 * @param inodeId of the file
 * @param lengthBytes of its content, which updates do not change
 * @param blockPool of all its blocks
 * @param code of the file
 */
public record SessionFile(
    String path, long inodeId, long lengthBytes, String blockPool, UpdateCode code) {}
