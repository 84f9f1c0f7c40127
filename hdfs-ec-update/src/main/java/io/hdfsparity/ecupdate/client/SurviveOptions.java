/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.ecupdate.ajx.Bounds;
import io.hdfsparity.ecupdate.config.UpdateKey;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/** What updates must survive, as the administrator says in hdfs-site.xml. Stateless. */
final class SurviveOptions {
  private static final Pattern FORM = Pattern.compile("(\\d{1,3})c(\\d{1,3})s");

  private SurviveOptions() {}

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException naming the key
   */
  static Bounds.Failures of(Configuration conf) {
    String text = new KeyReader(conf).text(UpdateKey.SURVIVE);
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw KeyReader.refused(
          UpdateKey.SURVIVE.key(),
          text,
          "crashed clients and lost storage nodes, as in " + UpdateKey.SURVIVE.defaultValue(),
          /* cause= */ null);
    }
    return new Bounds.Failures(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)));
  }
}
