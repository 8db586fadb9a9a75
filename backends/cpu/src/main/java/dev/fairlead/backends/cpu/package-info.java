/** The processor of this machine as devices: lanes that each run one thing at a time. */
@NullMarked
package dev.fairlead.backends.cpu;

import org.jspecify.annotations.NullMarked;
