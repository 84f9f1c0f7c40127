/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.web;

import io.hdfsparity.bridge.wire.CallerRules;
import java.util.Locale;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Decides who may see paths, owners and messages: superusers and administrators whom the web
 * server's own filter has authenticated. Thread-safe.
 *
 * <p>Hadoop's {@code HttpServer2.hasAdministratorAccess} is not used: it says yes to everybody
 * where {@code hadoop.security.authorization} is off. The user that {@code
 * hadoop.http.staticuser.user} gives to everybody counts as nobody. With Kerberos, a name that was
 * only claimed ({@code user.name}) counts as nobody too.
 */
final class PageReader {
  /** Hadoop's handlers that believe a name: simple, and with delegation tokens simple-dt. */
  private static final String CLAIMED = "simple";

  private final CallerRules rules;

  PageReader(CallerRules rules) {
    this.rules = rules;
  }

  boolean maySeeAll(HttpServletRequest request) {
    // The static user is set by a filter that sets no type of authentication.
    String type = request.getAuthType();
    String user = request.getRemoteUser();
    if (type == null || user == null || user.isEmpty()) {
      return false;
    }
    boolean isClaimed = type.toLowerCase(Locale.ROOT).startsWith(CLAIMED);
    if (isClaimed && UserGroupInformation.isSecurityEnabled()) {
      return false;
    }
    return rules.isAdministrator(UserGroupInformation.createRemoteUser(user));
  }
}
