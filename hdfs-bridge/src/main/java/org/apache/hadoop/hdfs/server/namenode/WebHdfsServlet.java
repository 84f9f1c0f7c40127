/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.status.HadoopLine;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import javax.servlet.Servlet;
import javax.servlet.ServletException;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;
import org.apache.hadoop.http.HttpServer2;
import org.eclipse.jetty.servlet.ServletHandler;
import org.eclipse.jetty.servlet.ServletMapping;
import org.jspecify.annotations.Nullable;

/** Finds the servlet of WebHDFS in a NameNode's web server. Stateless. */
final class WebHdfsServlet {
  /** Where it is. */
  static final String PATH = WebHdfsFileSystem.PATH_PREFIX + "/*";

  private WebHdfsServlet() {}

  /**
   * The servlet, ready to serve.
   *
   * @return null: the server has none
   */
  static @Nullable Servlet find(HttpServer2 server) throws IOException {
    ServletHandler handler = server.getWebAppContext().getServletHandler();
    ServletMapping mapping = handler.getServletMapping(PATH);
    if (mapping == null) {
      return null;
    }
    try {
      // Makes it ready if no request has yet: only then it can be given other resources.
      return handler.getServlet(mapping.getServletName()).getServlet();
    } catch (ServletException e) {
      throw new IOException("Cannot guard WebHDFS: " + e.getMessage(), e);
    }
  }

  /** What to throw when a servlet of another class, or none, was found. */
  static IOException unexpected(@Nullable Servlet found, Class<? extends Servlet> expected) {
    return new IOException(
        ErrorMessage.to("guard WebHDFS")
            .value("servlet", found == null ? "none" : found.getClass().getName())
            .expected(
                expected.getName()
                    + " at "
                    + PATH
                    + ", as in Hadoop "
                    + HadoopLine.current().versions())
            .message());
  }
}
