/** What operators watch: devices, tenants, jobs and the process, for Prometheus. */
@NullMarked
package dev.fairlead.service.metrics;

import org.jspecify.annotations.NullMarked;
