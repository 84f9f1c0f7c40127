/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The page {@code /parity} in a NameNode's own web server: who asks, what is known, how often it is
 * looked up.
 */
package io.hdfsparity.bridge.web;
