/**
 * The fleet, the candidates for a demand, and the placer that asks the policy and commits its
 * choice. Internal.
 */
@NullMarked
package dev.fairlead.placing;

import org.jspecify.annotations.NullMarked;
