/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.mapping;

import java.util.Optional;

/**
 * A file as it is.
 *
 * @param path absolute
 * @param inodeId of the file that the path led to
 * @param lengthBytes of its content
 * @param blockBytes block size
 * @param ageMs since it was last modified
 * @param form how it is stored
 * @param importance value of the attribute; empty when neither it nor an ancestor has one
 * @param importanceFrom the path that has the attribute, or empty
 */
public record FileFacts(
    String path,
    long inodeId,
    long lengthBytes,
    long blockBytes,
    long ageMs,
    StorageForm form,
    Optional<String> importance,
    Optional<String> importanceFrom) {}
