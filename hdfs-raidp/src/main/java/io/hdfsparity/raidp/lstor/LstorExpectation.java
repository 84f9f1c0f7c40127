/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/**
 * What the opener of an Lstor believes it to be.
 *
 * @param clusterId HDFS cluster id that it must bear
 * @param diskId disk id that it must bear
 */
public record LstorExpectation(String clusterId, String diskId) {}
