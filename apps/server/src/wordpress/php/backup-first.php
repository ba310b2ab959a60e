<?php
// Before plugins or themes are updated or deleted, or several plugins are switched, the platform makes a backup. NIDO_BACKUP
// says where that is: at "first", the request ends here and says what is to be changed; the edge repeats it with "made"
// or "failed".

/** The request is certain to be allowed: who may not do this makes no backups. */
function nido_back_up_first( array $ids ) {
	if ( 'made' === $_SERVER['NIDO_BACKUP'] ) {
		return;
	}
	if ( 'first' === $_SERVER['NIDO_BACKUP'] ) {
		$names = array_map( static fn ( $id ) => strtok( sanitize_text_field( wp_unslash( $id ) ), '/' ), $ids );
		header( 'X-Nido-Backup: ' . rawurlencode( mb_substr( implode( ', ', $names ), 0, 300 ) ) );
		exit;
	}
	$text = nido_text( 'No hemos podido hacer la copia de seguridad previa, así que no se ha cambiado nada. Si lo repites en los próximos cinco minutos, el cambio se hará sin copia.', 'We could not make a backup first, so nothing was changed. If you try again within five minutes, the change is made without a backup.' );
	if ( wp_doing_ajax() ) {
		$which = array_map( 'sanitize_text_field', wp_unslash( array_intersect_key( $_POST, array( 'plugin' => 1, 'slug' => 1 ) ) ) );
		wp_send_json_error( $which + array( 'errorMessage' => $text ) );
	}
	wp_die( esc_html( $text ), '', array( 'response' => 503, 'back_link' => true ) );
}

function nido_field( $name ) {
	return is_string( $_REQUEST[ $name ] ?? null ) ? wp_unslash( $_REQUEST[ $name ] ) : '';
}

/** Whether the request carries WordPress's own nonce for the act, and its user may do it. */
function nido_is_meant( $nonce, $capability ) {
	return wp_verify_nonce( nido_field( '_wpnonce' ), $nonce ) && current_user_can( $capability );
}

/** What is chosen in a list, or in the address of the frame in which WordPress makes several updates. */
function nido_chosen( $name ) {
	$checked = array_filter( (array) ( $_REQUEST['checked'] ?? array() ), 'is_string' );
	return $checked ? $checked : array_filter( explode( ',', nido_field( $name ) ) );
}

add_action(
	'load-plugins.php',
	static function () {
		$chosen     = nido_chosen( '' );
		$action     = nido_field( 'action' );
		$is_several = in_array( $action, array( 'activate-selected', 'deactivate-selected' ), true ) && count( $chosen ) > 1;
		$is_deleted = 'delete-selected' === $action && isset( $_REQUEST['verify-delete'] );
		if ( ( $is_several || $is_deleted ) && nido_is_meant( 'bulk-plugins', 'activate_plugins' ) ) {
			nido_back_up_first( $chosen );
		}
	},
	0
);
add_action(
	'load-update.php',
	static function () {
		$acts = array(
			'update-selected'        => array( nido_chosen( 'plugins' ), 'bulk-update-plugins', 'update_plugins' ),
			'upgrade-plugin'         => array( array( nido_field( 'plugin' ) ), 'upgrade-plugin_' . nido_field( 'plugin' ), 'update_plugins' ),
			'update-selected-themes' => array( nido_chosen( 'themes' ), 'bulk-update-themes', 'update_themes' ),
			'upgrade-theme'          => array( array( nido_field( 'theme' ) ), 'upgrade-theme_' . nido_field( 'theme' ), 'update_themes' ),
		);
		list( $ids, $nonce, $capability ) = $acts[ nido_field( 'action' ) ] ?? array( array(), '', '' );
		if ( $ids && nido_is_meant( $nonce, $capability ) ) {
			nido_back_up_first( $ids );
		}
	},
	0
);
add_action(
	'load-themes.php',
	static function () {
		$theme = nido_field( 'stylesheet' );
		if ( 'delete' === nido_field( 'action' ) && nido_is_meant( "delete-theme_$theme", 'delete_themes' ) ) {
			nido_back_up_first( array( $theme ) );
		}
	},
	0
);
foreach ( array( 'update_plugins', 'delete_plugins', 'update_themes', 'delete_themes' ) as $nido_capability ) {
	add_action(
		'wp_ajax_' . rtrim( str_replace( '_', '-', $nido_capability ), 's' ),
		static function () use ( $nido_capability ) {
			if ( check_ajax_referer( 'updates', false, false ) && current_user_can( $nido_capability ) ) {
				nido_back_up_first( array( nido_field( 'plugin' ) ?: nido_field( 'slug' ) ) );
			}
		},
		0
	);
}
