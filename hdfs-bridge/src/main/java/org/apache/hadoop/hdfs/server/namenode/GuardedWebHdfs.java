/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import javax.servlet.Servlet;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.Path;
import javax.ws.rs.core.Context;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.web.resources.NamenodeWebHdfsMethods;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;
import org.apache.hadoop.hdfs.web.resources.ExceptionHandler;
import org.apache.hadoop.hdfs.web.resources.Param;
import org.apache.hadoop.hdfs.web.resources.UserProvider;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.UserGroupInformation;
import org.eclipse.jetty.servlet.ServletHandler;
import org.eclipse.jetty.servlet.ServletMapping;
import org.glassfish.jersey.internal.inject.AbstractBinder;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.jspecify.annotations.Nullable;

/**
 * WebHDFS of a NameNode, whose calls go the same way as those that come by RPC. Hadoop's Router
 * puts its own ClientProtocol behind WebHDFS likewise, by overriding this one method. Callers by
 * WebHDFS have no caller context, and so cannot state that they know anything.
 *
 * <p>What does not go by it: the choice of the DataNode that a client is sent to for bytes. It
 * tells that node's address; the bytes are read and written by a client in that DataNode.
 *
 * <p>Reaches: NamenodeWebHdfsMethods.getRpcClientProtocol, getContext, protected, by which all else
 * gets to the NameNode; the settings of NameNodeHttpServer.initWebHdfs. Made by Jersey for each
 * request.
 */
@Path("")
public class GuardedWebHdfs extends NamenodeWebHdfsMethods {
  private static final String CLIENT_PROTOCOL = GuardedWebHdfs.class.getName() + ".protocol";

  /** As Jersey makes it. */
  public GuardedWebHdfs(@Context HttpServletRequest request) {
    super(request);
  }

  @Override
  protected ClientProtocol getRpcClientProtocol() throws IOException {
    if (getContext().getAttribute(CLIENT_PROTOCOL) instanceof ClientProtocol guarded) {
      return guarded;
    }
    throw new IOException(
        ErrorMessage.to("answer by WebHDFS")
            .value(CLIENT_PROTOCOL, "none")
            .expected("a NameNode that runs; try again")
            .message());
  }

  /**
   * Takes the place of a running server's WebHDFS.
   *
   * @param guarded what its calls go to
   * @throws IOException if the server has none, or not Hadoop's; then nothing has changed
   */
  static void install(HttpServer2 server, ClientProtocol guarded) throws IOException {
    ServletContainer webHdfs = webHdfs(server);
    server.setAttribute(CLIENT_PROTOCOL, guarded);
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
    webHdfs.reload(config);
  }

  private static ServletContainer webHdfs(HttpServer2 server) throws IOException {
    String path = WebHdfsFileSystem.PATH_PREFIX + "/*";
    ServletHandler handler = server.getWebAppContext().getServletHandler();
    ServletMapping mapping = handler.getServletMapping(path);
    Servlet found = mapping == null ? null : servlet(handler, mapping);
    if (found instanceof ServletContainer jersey) {
      return jersey;
    }
    throw new IOException(
        ErrorMessage.to("guard WebHDFS")
            .value("servlet", found == null ? "none" : found.getClass().getName())
            .expected(ServletContainer.class.getName() + " at " + path + ", as in Hadoop 3.5.0")
            .message());
  }

  private static @Nullable Servlet servlet(ServletHandler handler, ServletMapping mapping)
      throws IOException {
    try {
      // Makes it ready if no request has yet: only then it can be given other resources.
      return handler.getServlet(mapping.getServletName()).getServlet();
    } catch (ServletException e) {
      throw new IOException("Cannot guard WebHDFS: " + e.getMessage(), e);
    }
  }
}
