/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

/**
 * Where an internal block is stored. Immutable.
 *
 * @param node the DataNode, with the epoch of its process: another epoch means that it was started
 *     again
 * @param storageId of the volume
 * @param storageType of the volume
 */
public record UnitStorage(UpdateNode node, String storageId, String storageType) {}
