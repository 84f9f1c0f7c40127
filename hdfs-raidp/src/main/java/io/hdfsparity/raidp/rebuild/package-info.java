/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Rebuild of a lost superchunk inside the DataNode that receives it: the pure decoder of {@link
 * io.hdfsparity.raidp.recovery}, fed by RPC and emptied into the DataNode's dataset.
 */
package io.hdfsparity.raidp.rebuild;
