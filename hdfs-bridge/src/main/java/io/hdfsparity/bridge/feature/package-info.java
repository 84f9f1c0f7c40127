/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * What a feature of the suite is to a daemon, and how a NameNode or DataNode starts all that are on
 * its class path: one plugin, one RPC server, one health metric.
 */
package io.hdfsparity.bridge.feature;
