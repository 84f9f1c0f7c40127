/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

/**
 * The frames of RAIDP's disks. Immutable.
 *
 * @param perDisk frames of a disk
 * @param frameBytes size of a frame
 * @param unitBytes allocation unit
 * @param journalBytes most bytes of a disk that its partners have not acknowledged yet
 */
public record Frames(int perDisk, long frameBytes, long unitBytes, long journalBytes) {}
