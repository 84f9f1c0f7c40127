/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.level;

import java.util.Optional;

/**
 * A file as the NameNode holds it, taken under its lock. Immutable.
 *
 * @param path resolved
 * @param inodeId of the file
 * @param policy empty: the file is replicated
 * @param groups number of block groups
 * @param open somebody is writing it
 * @param shared a snapshot holds it, or it is reached through a reference that a rename out of a
 *     snapshot left
 * @param encrypted it lies in an encryption zone
 */
public record StripedFile(
    String path,
    long inodeId,
    Optional<CodePolicy> policy,
    int groups,
    boolean open,
    boolean shared,
    boolean encrypted) {}
