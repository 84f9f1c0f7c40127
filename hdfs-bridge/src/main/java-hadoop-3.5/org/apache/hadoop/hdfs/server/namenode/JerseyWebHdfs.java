/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import javax.servlet.Servlet;
import org.apache.hadoop.hdfs.web.resources.ExceptionHandler;
import org.apache.hadoop.hdfs.web.resources.Param;
import org.apache.hadoop.hdfs.web.resources.UserProvider;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.UserGroupInformation;
import org.glassfish.jersey.internal.inject.AbstractBinder;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/**
 * The servlet of a NameNode's WebHDFS, whose resources can be replaced. Hadoop 3.5 has Jersey 2,
 * which loads another configuration; 3.4 has Jersey 1, whose servlet is replaced.
 *
 * <p>Reaches: the settings of NameNodeHttpServer.initWebHdfs. Checked for Hadoop 3.5.0. Stateless
 * but for the servlet.
 */
final class JerseyWebHdfs {
  private final ServletContainer servlet;

  private JerseyWebHdfs(ServletContainer servlet) {
    this.servlet = servlet;
  }

  /**
   * Finds it.
   *
   * @throws IOException if the server has none, or not Hadoop's
   */
  static JerseyWebHdfs of(HttpServer2 server) throws IOException {
    Servlet found = WebHdfsServlet.find(server);
    if (found instanceof ServletContainer jersey) {
      return new JerseyWebHdfs(jersey);
    }
    throw WebHdfsServlet.unexpected(found, ServletContainer.class);
  }

  /** From now on {@link GuardedWebHdfs} answers. */
  void guard() {
    // As NameNodeHttpServer.initWebHdfs, but for the first.
    ResourceConfig config = new ResourceConfig(GuardedWebHdfs.class, ExceptionHandler.class);
    config.packages(Param.class.getPackage().getName());
    config.register(
        new AbstractBinder() {
          @Override
          protected void configure() {
            bindFactory(UserProvider.class).to(UserGroupInformation.class);
          }
        });
    servlet.reload(config);
  }
}
