/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * What the NameNode's page {@code /parity} shows, as records, and how it becomes HTML and JSON.
 * Nothing here asks a daemon: a page is made from records, and looks the same for the same ones.
 */
package io.hdfsparity.bridge.page;
