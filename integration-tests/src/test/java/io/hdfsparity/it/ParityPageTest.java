/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.caso.config.CasoKey;
import io.hdfsparity.caso.fs.WorkFiles;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.blockmanagement.HintedEcPlacementPolicy;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page {@code /parity} of two NameNodes with simple authentication, one of them standby, after
 * a disk has failed. With {@code -Dpage.regenerate=true} the screenshot in the docs is taken anew.
 */
class ParityPageTest {
  private static final String HOSTILE = "/<script>alert(1)<&>\"'";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir private static Path root;
  private static MiniRaidp raidp;
  private static String admin;

  @BeforeAll
  static void start() throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.block.placement.ec.classname", HintedEcPlacementPolicy.class.getName());
    extra.setBoolean("dfs.parity.raidp.recovery.auto", true);
    extra.set(CasoKey.LAYOUT_SWEEP_PERIOD.key(), "200ms");
    // Nobody is one of everybody, whatever the web server calls everybody.
    extra.set("hadoop.http.staticuser.user", UserGroupInformation.getCurrentUser().getUserName());
    raidp = MiniRaidp.startHighlyAvailable(root, MiniRaidp.Shape.small(), extra);
    admin = "user.name=" + UserGroupInformation.getCurrentUser().getShortUserName();
    raidp.write("/data", MiniRaidp.bytes(1, 3 << 20));
    putHostileFile();
    raidp.failDisk(0, 0);
    MiniRaidp.await("the recovery is over, and the reordered file counted")
        .untilAsserted(
            () ->
                assertThat(get(0, "/parity.json?" + admin).body())
                    .contains("Recovery: done", "alert(1)"));
  }

  /** To CASO's sweeper it is in stored order, as a file of its inode is among the indexes. */
  private static void putHostileFile() throws IOException {
    DistributedFileSystem fs = raidp.fs();
    org.apache.hadoop.fs.Path hostile = new org.apache.hadoop.fs.Path(HOSTILE);
    try (FSDataOutputStream out = fs.create(hostile)) {
      out.write(1);
    }
    long inode = fs.getClient().getFileInfo(HOSTILE).getFileId();
    org.apache.hadoop.fs.Path indexes = new org.apache.hadoop.fs.Path("/.caso/index");
    fs.mkdirs(indexes);
    fs.setXAttr(indexes, WorkFiles.FOLDER_MARK, new byte[0]);
    fs.create(new org.apache.hadoop.fs.Path(indexes, String.valueOf(inode))).close();
  }

  @AfterAll
  static void stop() throws Exception {
    if (raidp != null) {
      raidp.close();
    }
  }

  private static String address(int nameNode) {
    return "http://"
        + NetUtils.getHostPortString(raidp.dfs().getNameNode(nameNode).getHttpAddress());
  }

  private static HttpResponse<String> get(int nameNode, String path)
      throws IOException, InterruptedException {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(address(nameNode) + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void anonymousReaderSeesHealthAndCountsButNoNames() throws Exception {
    HttpResponse<String> page = get(0, "/parity");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("text/html"));
    assertThat(page.headers().firstValue("X-Frame-Options")).contains("SAMEORIGIN");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'")
        .doesNotContain("unsafe");
    assertThat(page.body())
        .contains("Health", "RAIDP", "Recovery: done", "Disks and superchunks", "in service")
        .contains("Reordered files (1)", "shown to administrators only")
        .doesNotContain("alert(1)");
  }

  @Test
  void onlyAnAdministratorSeesNamesEscaped() throws Exception {
    assertThat(get(0, "/parity?user.name=somebody").body()).doesNotContain("alert(1)");
    assertThat(get(0, "/parity?" + admin).body())
        .contains("&lt;script&gt;alert(1)&lt;&amp;&gt;&quot;&#39;")
        .doesNotContain("<script>");
  }

  @Test
  void jsonHasTheSame() throws Exception {
    JsonNode anonymous = JSON.readTree(get(0, "/parity?format=json").body());
    JsonNode all = JSON.readTree(get(0, "/parity.json?" + admin).body());

    assertThat(anonymous.path("complete").asBoolean()).isFalse();
    assertThat(anonymous.toString()).doesNotContain("alert(1)");
    assertThat(all.path("complete").asBoolean()).isTrue();
    assertThat(all.toString()).contains("<script>alert(1)<&>");
    assertThat(all.path("features").findValuesAsText("part"))
        .contains("raidp", "izs", "ecupdate", "caso");
    assertThat(all.path("sections").findValuesAsText("feature"))
        .containsExactlyInAnyOrder("raidp", "izs", "ecupdate", "caso");
  }

  @Test
  void standbySaysSoAndLinksToTheOther() throws Exception {
    assertThat(get(1, "/parity").body())
        .contains("This NameNode is standby", "href=\"" + address(0) + "/parity\"");
  }

  @Test
  void nothingElseIsServedBelowThePage() throws Exception {
    assertThat(get(0, "/parity/parity.css").headers().firstValue("Content-Type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("text/css"));
    assertThat(get(0, "/parity/parity.js").statusCode()).isEqualTo(200);
    assertThat(get(0, "/parity/PageServlet.class").statusCode()).isEqualTo(404);
    assertThat(get(0, "/parity/../parity/x").statusCode()).isEqualTo(404);
  }

  @Test
  void chromiumShowsItWithoutAnError() throws Exception {
    Optional<Path> program = Chromium.find();
    assertThat(program).as("a program chromium; Debian: apt-get install chromium").isPresent();
    Path screenshot =
        Boolean.getBoolean("page.regenerate")
            ? Path.of("..", "docs", "images", "page.png").toAbsolutePath().normalize()
            : root.resolve("page.png");

    Chromium.Look look =
        Chromium.open(
            program.get(), address(0) + "/parity?" + admin, root, screenshot, /* height= */ 1500);

    assertThat(look.console()).isEmpty();
    assertThat(look.document())
        .contains("Disks and superchunks", "&lt;script&gt;alert(1)")
        // Of the script: the link to JSON is for the same user.
        .contains("/parity.json?" + admin + "\"");
    assertThat(screenshot).isNotEmptyFile();
  }
}
