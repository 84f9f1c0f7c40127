/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

/** The kinds of processes a cluster is made of. */
public enum DaemonRole {
  /** The one NameNode. */
  NAMENODE("nn", "org.apache.hadoop.hdfs.server.namenode.NameNode"),
  /** One of two NameNodes. */
  PAIRED_NAMENODE("nn", NAMENODE.mainClass),
  JOURNALNODE("jn", "org.apache.hadoop.hdfs.qjournal.server.JournalNode"),
  DATANODE("dn", "org.apache.hadoop.hdfs.server.datanode.DataNode"),
  LSTOR("lstor", "io.hdfsparity.raidp.lstord.LstorDaemon"),
  RESOURCEMANAGER("rm", "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager"),
  /** Of MapReduce: answers for jobs that have ended. */
  JOBHISTORY("jhs", "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer"),
  NODEMANAGER("nm", "org.apache.hadoop.yarn.server.nodemanager.NodeManager");

  private final String prefix;
  private final String mainClass;

  DaemonRole(String prefix, String mainClass) {
    this.prefix = prefix;
    this.mainClass = mainClass;
  }

  /** True of NameNodes. */
  public boolean isNameNode() {
    return this == NAMENODE || this == PAIRED_NAMENODE;
  }

  /** True of YARN and MapReduce. */
  public boolean isYarn() {
    return this == RESOURCEMANAGER || this == JOBHISTORY || this == NODEMANAGER;
  }

  /** True of what a cluster has one of, without a number in its name. */
  boolean isSingle() {
    return this == NAMENODE || this == RESOURCEMANAGER || this == JOBHISTORY;
  }

  /** What names of processes of this role start with. */
  public String prefix() {
    return prefix;
  }

  /** The class whose main method the process runs. */
  public String mainClass() {
    return mainClass;
  }
}
