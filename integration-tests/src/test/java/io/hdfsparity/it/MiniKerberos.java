/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A key distribution center for a cluster in this process, whose daemons and superuser are {@code
 * hdfs/localhost}. One at a time, since Hadoop's login is one of the process.
 */
final class MiniKerberos implements AutoCloseable {
  private final MiniKdc kdc;
  private final File users;
  private final Map<String, String> keys;

  /**
   * Starts, and logs the process in.
   *
   * @param names of users who can log in
   */
  MiniKerberos(Path root, String... names) throws Exception {
    File directory = Files.createDirectory(root).toFile();
    kdc = new MiniKdc(MiniKdc.createConf(), directory);
    kdc.start();
    File hdfs = new File(directory, "hdfs.keytab");
    kdc.createPrincipal(hdfs, "hdfs/localhost", "HTTP/localhost");
    users = new File(directory, "users.keytab");
    kdc.createPrincipal(users, names);
    keys = keys(kdc.getRealm(), hdfs);
    Configuration secure = new Configuration();
    keys.forEach(secure::set);
    UserGroupInformation.setConfiguration(secure);
    UserGroupInformation.loginUserFromKeytab("hdfs/localhost@" + kdc.getRealm(), hdfs.getPath());
  }

  private static Map<String, String> keys(String realm, File keytab) {
    Map<String, String> keys = new HashMap<>();
    keys.put("hadoop.security.authentication", "kerberos");
    for (String daemon : new String[] {"namenode", "datanode"}) {
      keys.put("dfs." + daemon + ".kerberos.principal", "hdfs/localhost@" + realm);
      keys.put("dfs." + daemon + ".keytab.file", keytab.getPath());
    }
    keys.put("dfs.web.authentication.kerberos.principal", "HTTP/localhost@" + realm);
    keys.put("dfs.web.authentication.kerberos.keytab", keytab.getPath());
    keys.put("dfs.data.transfer.protection", "privacy");
    // Otherwise HTTPS would be needed, which is not used here.
    keys.put("ignore.secure.ports.for.testing", "true");
    return Map.copyOf(keys);
  }

  /** Of the cluster and its clients; block tokens have to be on beside them. */
  Map<String, String> keys() {
    return keys;
  }

  String realm() {
    return kdc.getRealm();
  }

  /** Of the users who can log in. */
  Path keytab() {
    return users.toPath();
  }

  /** For a process whose tickets are valid for a short time; this one's stay as they are. */
  Path shortLived(int seconds) throws IOException {
    Path own = users.toPath().resolveSibling("krb5-short-lived.conf");
    String conf = Files.readString(kdc.getKrb5conf().toPath());
    return Files.writeString(
        own,
        conf.replace("[libdefaults]", "[libdefaults]\n    ticket_lifetime = " + seconds + "s"));
  }

  UserGroupInformation login(String name) throws IOException {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(name, users.getPath());
  }

  static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action) throws Exception {
    return user.doAs(action);
  }

  static FileSystem fsOf(UserGroupInformation user, Configuration conf) throws Exception {
    return as(user, () -> FileSystem.newInstance(conf));
  }

  @Override
  public void close() {
    kdc.stop();
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }
}
