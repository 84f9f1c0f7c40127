/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.LocalClusterBuilder;
import java.util.function.UnaryOperator;

/**
 * The cluster that a chapter needs.
 *
 * @param title what it consists of, for the screen
 * @param describe adds all but the block size
 * @param maxBytes most bytes that its replicas take
 */
record ClusterPlan(String title, UnaryOperator<LocalClusterBuilder> describe, long maxBytes) {}
