/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.guard;

/**
 * Tells files whose cells are stored in another order than the file's own. Immutable.
 *
 * @param attribute extended attribute of such a file's inode, with its namespace
 * @param client what a client needs to read them, for messages
 * @param restoreCommand what puts a file, whose path is appended, back into its own order
 */
public record OrderMark(String attribute, String client, String restoreCommand) {}
