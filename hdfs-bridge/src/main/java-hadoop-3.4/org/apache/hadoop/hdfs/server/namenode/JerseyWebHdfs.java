/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import com.sun.jersey.api.core.PackagesResourceConfig;
import com.sun.jersey.api.core.ResourceConfig;
import com.sun.jersey.spi.container.ResourceFilters;
import com.sun.jersey.spi.container.servlet.ServletContainer;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.servlet.Servlet;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.Path;
import javax.ws.rs.core.Context;
import org.apache.hadoop.hdfs.web.ParamFilter;
import org.apache.hadoop.hdfs.web.resources.Param;
import org.apache.hadoop.http.HttpServer2;
import org.eclipse.jetty.servlet.ServletHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.servlet.ServletMapping;

/**
 * The servlet of a NameNode's WebHDFS, whose resources can be replaced. Hadoop 3.5 has Jersey 2,
 * which loads another configuration; 3.4 has Jersey 1, whose servlet is replaced.
 *
 * <p>Reaches: the settings of NameNodeHttpServer.initWebHdfs. Checked for Hadoop 3.4.3. Stateless
 * but for the server.
 */
final class JerseyWebHdfs {
  private static final String NAME = "hdfs-parity-webhdfs";

  private final ServletHandler handler;

  private JerseyWebHdfs(ServletHandler handler) {
    this.handler = handler;
  }

  /** Jersey 1 takes the filter of a resource from the class itself. Made for each request. */
  @Path("")
  @ResourceFilters(ParamFilter.class)
  public static final class FilteredWebHdfs extends GuardedWebHdfs {
    /** As Jersey makes it. */
    public FilteredWebHdfs(@Context HttpServletRequest request) {
      super(request);
    }
  }

  /**
   * Finds it.
   *
   * @throws IOException if the server has none, or not Hadoop's
   */
  static JerseyWebHdfs of(HttpServer2 server) throws IOException {
    Servlet found = WebHdfsServlet.find(server);
    if (found instanceof ServletContainer) {
      return new JerseyWebHdfs(server.getWebAppContext().getServletHandler());
    }
    throw WebHdfsServlet.unexpected(found, ServletContainer.class);
  }

  /**
   * From now on {@link GuardedWebHdfs} answers.
   *
   * @throws IOException if the new servlet does not start; then the old one answers
   */
  void guard() throws IOException {
    // As NameNodeHttpServer.initWebHdfs, but for the class.
    PackagesResourceConfig config = new PackagesResourceConfig(Param.class.getPackage().getName());
    config.getClasses().add(FilteredWebHdfs.class);
    config.getFeatures().put(ResourceConfig.FEATURE_MATCH_MATRIX_PARAMS, true);
    ServletHolder holder = new ServletHolder(NAME, new ServletContainer(config));
    handler.addServlet(holder);
    try {
      holder.start();
      // Before requests reach it.
      holder.getServlet();
    } catch (Exception e) { // as Jetty declares it
      throw new IOException("Cannot guard WebHDFS: " + e.getMessage(), e);
    }
    ServletMapping guarded = new ServletMapping();
    guarded.setServletName(NAME);
    guarded.setPathSpec(WebHdfsServlet.PATH);
    ServletMapping stock = handler.getServletMapping(WebHdfsServlet.PATH);
    // One path has one servlet: both change at once.
    handler.setServletMappings(
        Stream.concat(
                Arrays.stream(handler.getServletMappings()).filter(each -> each != stock),
                Stream.of(guarded))
            .toArray(ServletMapping[]::new));
  }
}
