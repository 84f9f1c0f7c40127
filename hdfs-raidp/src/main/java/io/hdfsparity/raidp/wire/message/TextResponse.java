/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

/**
 * Answer to an administrator: one JSON document for the command line and the web alike.
 *
 * @param json the document
 * @param exitCode what the command exits with: 0 or -1
 */
public record TextResponse(String json, int exitCode) {}
