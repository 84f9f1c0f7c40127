/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.web;

import io.hdfsparity.bridge.doctor.Doctor;
import io.hdfsparity.bridge.page.HtmlPage;
import io.hdfsparity.bridge.page.JsonPage;
import io.hdfsparity.bridge.page.Page;
import io.hdfsparity.bridge.page.PageSection;
import io.hdfsparity.bridge.status.DaemonStatus;
import io.hdfsparity.bridge.wire.CallerRules;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.function.Supplier;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.webapp.WebAppContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@code /parity} (HTML; with {@code ?format=json} JSON), {@code /parity.json}, and the
 * style sheet and script of the page. It is added to the context of the NameNode's own pages, so
 * the filters of these apply to it: authentication, and the headers that Hadoop sets.
 */
public final class PageServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(PageServlet.class);
  private static final String HTML = "text/html; charset=utf-8";
  private static final String JSON = "application/json; charset=utf-8";
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

  /** By path: the type of what is served from the jar. */
  private static final Map<String, String> FILES =
      Map.of(
          "/parity.css", "text/css; charset=utf-8", "/parity.js", "text/javascript; charset=utf-8");

  private final transient PageCache pages;
  private final transient PageReader readers;

  PageServlet(PageCache pages, PageReader readers) {
    this.pages = pages;
    this.readers = readers;
  }

  /**
   * Adds the page to the web server of a NameNode. A NameNode without a web server, or whose web
   * server takes no more pages, goes on without: the page is no part of what keeps files safe.
   *
   * @param status of the NameNode, asked for each page
   * @param sections of features in service, asked for each page
   */
  public static void install(
      NameNode nameNode, Supplier<DaemonStatus> status, Supplier<List<PageSection>> sections) {
    Configuration conf = nameNode.getConf();
    try {
      PageServlet servlet =
          new PageServlet(
              new PageCache(
                  new NameNodePage(
                      nameNode.getNameNodeAddressHostPortString(),
                      status,
                      sections,
                      otherNameNodes(conf),
                      Doctor.ofClassPath()),
                  System::nanoTime),
              new PageReader(CallerRules.of(conf)));
      WebAppContext context = nameNode.getHttpServer().getWebAppContext();
      ServletHolder holder = new ServletHolder("parity", servlet);
      context.addServlet(holder, "/parity/*");
      context.getServletHandler().addServletWithMapping(holder, "/parity.json");
      // The web server runs already, and starts only what it has when it starts.
      holder.start();
      LOG.info("The page /parity is served by the NameNode's web server");
    } catch (Exception | LinkageError | ServiceConfigurationError e) {
      // Also where classes do not fit each other: what protects files is started after this.
      LOG.error("The page /parity is not served; the NameNode goes on without it", e);
    }
  }

  /** Web addresses, of those that have one which is configured. */
  private static List<String> otherNameNodes(Configuration conf) {
    List<String> others = new ArrayList<>();
    String nameservice = DFSUtil.getNamenodeNameServiceId(conf);
    if (nameservice == null || !HAUtil.isHAEnabled(conf, nameservice)) {
      return others;
    }
    String scheme = DFSUtil.getHttpClientScheme(conf);
    for (Configuration each : HAUtil.getConfForOtherNodes(conf)) {
      InetSocketAddress rpc = NameNode.getServiceAddress(each, true);
      try {
        URI web = DFSUtil.getInfoServerWithDefaultHost(rpc.getHostName(), each, scheme);
        if (web.getPort() > 0) {
          others.add(scheme + "://" + web.getAuthority());
        }
      } catch (IOException e) {
        LOG.warn("The page of {} is not linked to", NetUtils.getHostPortString(rpc), e);
      }
    }
    return others;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String below = Objects.requireNonNullElse(request.getPathInfo(), "");
    if (FILES.containsKey(below)) {
      response.setHeader("X-Content-Type-Options", "nosniff");
      send(response, FILES.get(below), file(below));
      return;
    }
    if (!below.isEmpty()) {
      response.sendError(HttpServletResponse.SC_NOT_FOUND);
      return;
    }
    Page page = pages.get();
    if (!readers.maySeeAll(request)) {
      page = page.forEverybody();
    }
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");
    boolean isJson =
        request.getServletPath().endsWith(".json") || "json".equals(request.getParameter("format"));
    String text = isJson ? JsonPage.render(page) : HtmlPage.render(page);
    send(response, isJson ? JSON : HTML, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpServletResponse response, String type, byte[] body)
      throws IOException {
    response.setContentType(type);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  private static byte[] file(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            PageServlet.class.getResourceAsStream(name.substring(1)), "in the suite's jar")) {
      return in.readAllBytes();
    }
  }
}
