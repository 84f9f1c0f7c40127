/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.apply;

/**
 * Length and SHA-256 of bytes that went by. Immutable.
 *
 * @param lengthBytes how many
 * @param sha256 in hex
 */
public record ByteDigest(long lengthBytes, String sha256) {}
