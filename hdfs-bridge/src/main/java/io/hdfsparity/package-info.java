/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** The plugins of the suite: what dfs.namenode.plugins and dfs.datanode.plugins name. */
package io.hdfsparity;
