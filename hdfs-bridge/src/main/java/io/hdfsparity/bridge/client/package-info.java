/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * How a feature takes part in a client's reads of striped files. The streams that call it are in
 * {@code org.apache.hadoop.hdfs}.
 */
package io.hdfsparity.bridge.client;
