/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity;

import org.apache.hadoop.hdfs.FeatureFileSystem;

/**
 * HDFS for clients of the suite; {@code fs.hdfs.impl} names it, and {@link ParityFs} is the same
 * for {@code FileContext}. Reads whatever the features read whose jars are there: files of codec
 * izs with up to r units of each block group lost, files in stored order, files under update, and
 * blocks of RAIDP that have no replica left. Never gives a wrong byte: what cannot be read is an
 * IOException. What would change a file in stored order without its index is refused. Everything
 * else, and all without features, is Hadoop's DistributedFileSystem.
 *
 * <p>Its jars belong into the class path of Hadoop's own (HADOOP_CLASSPATH): parts of it are in
 * Hadoop's packages. Elsewhere it refuses to work. Thread-safe.
 */
public final class ParityFileSystem extends FeatureFileSystem {}
