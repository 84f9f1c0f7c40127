/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */

import org.apache.hadoop.hdfs.nfs.conf.NfsConfiguration;
import org.apache.hadoop.hdfs.nfs.nfs3.Nfs3;

/**
 * Hadoop's NFS gateway without a portmap, whose port 111 only root may open. Its own main method
 * ends the process when it finds none. All else is as there.
 */
public class NfsGateway {
  public static void main(String[] args) throws Exception {
    new Nfs3(new NfsConfiguration()).startServiceInternal(/* register= */ false);
  }
}
