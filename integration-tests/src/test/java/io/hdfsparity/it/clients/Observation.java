/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

/**
 * A cell of the tables.
 *
 * @param client its title
 * @param nodeIsDead whether a DataNode was down
 */
record Observation(String client, FileKind kind, Operation operation, boolean nodeIsDead) {}
